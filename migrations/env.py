"""Alembic's environment: migrates the database whose connection the caller hands over."""

from alembic import context

from pbem.store.schema.tables import Game

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Game.metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()

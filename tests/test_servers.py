"""The servers of the tests themselves."""

import pytest
import sqlalchemy

from tests.postgresql import Postgresql


@pytest.mark.needs("postgresql")
def test_every_test_has_a_database_of_its_own(
    postgresql_cluster: Postgresql, postgresql_url: str
) -> None:
    other = postgresql_cluster.database()
    assert other != postgresql_url
    for url in (postgresql_url, other):
        with sqlalchemy.create_engine(url).begin() as connection:
            connection.execute(sqlalchemy.text("CREATE TABLE letters (id int)"))
            assert connection.scalar(sqlalchemy.text("SELECT count(*) FROM letters")) == 0

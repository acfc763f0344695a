"""Nothing in Show of Hands is secret but the orders of a period before its deadline."""

NONE = "Beans are public, and no seat knows more."

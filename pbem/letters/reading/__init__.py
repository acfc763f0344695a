"""The parts of reading a letter: header fields, MIME parts, HTML as text, and what is its writer's
own."""

"""Reading a letter: header fields, MIME parts, HTML as text, and which words are its writer's."""

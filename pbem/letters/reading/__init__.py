"""Reading a letter: fields, MIME, HTML, and which words are its writer's."""

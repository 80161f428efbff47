"""The pack for translators: the text with its open questions, in the files that their programs read."""

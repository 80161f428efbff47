"""Railroad Ink: route dice drawn on a board; rivers, lakes, meteors and lava as variants."""

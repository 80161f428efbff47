"""What must hold: the kinds of property, the hazards of every rulebook, and the properties of each one."""

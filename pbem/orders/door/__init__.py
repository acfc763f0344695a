"""What somebody means who writes to the referee in his own words."""

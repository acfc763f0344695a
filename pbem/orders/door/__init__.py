"""What somebody means who writes to the referee in their own words."""

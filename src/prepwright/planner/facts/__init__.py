"""What is known of the columns before anything is done to them."""

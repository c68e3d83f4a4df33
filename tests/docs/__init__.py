"""What stands on the pages for people who call the server from elsewhere works as it stands."""

/** What else is tried in a browser. */

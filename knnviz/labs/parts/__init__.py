"""What several labs share: data, votes, query points, and the panels that show them."""

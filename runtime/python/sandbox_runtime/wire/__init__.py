"""What goes between host and sandbox: messages, output, values as JSON."""

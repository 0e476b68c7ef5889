"""The user's MCP servers as Python objects: tools, calls, results, docs."""

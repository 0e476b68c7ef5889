class Image:
    mode = "RGB"
    size = (1, 1)

    def save(self, target, format):
        target.write(b"\x89PNG\r\n\x1a\n and more")

    def show(self, title=None):
        raise RuntimeError("there is no screen")

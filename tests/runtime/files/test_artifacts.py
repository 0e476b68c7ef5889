"""Saving and showing files, against a host in memory."""

from __future__ import annotations

import errno
import os
import pathlib
import tempfile
import unittest
from typing import Any
from unittest import mock

from artifacts_case import PNG, ArtifactsCase, FakeHost
from sandbox_runtime.names import past_output
from sandbox_runtime.rpc import MCPError
from sandbox_runtime.servers.results import Blob


class SaveTest(ArtifactsCase):
    def test_text_and_bytes_reach_the_host_at_once(self) -> None:
        path = self.artifacts.save_file("a.txt", "héllo\r\n")
        self.assertEqual(pathlib.Path(path).read_bytes(), "héllo\r\n".encode())
        for name, content in (("b", b"\0\1"), ("c", bytearray(b"c")), ("d", memoryview(b"d")), ("e", "")):
            self.artifacts.save_file(name, content)
        self.assertEqual(self.host.files["a.txt"], "héllo\r\n".encode())
        self.assertEqual([self.host.files[name] for name in "bcde"], [b"\0\1", b"c", b"d", b""])
        self.assertEqual(self.host.shown, [])

    def test_a_path_is_described_by_what_was_saved_there(self) -> None:
        describe = self.artifacts.folder.describe
        self.assertEqual(describe(self.artifacts.save_file("a/b.txt", "x" * 1234)), "Saved a/b.txt (1,234 bytes)")
        self.assertEqual(describe(self.artifacts.show(PNG)), "Saved shown-1.png (17 bytes)")
        self.path("own.txt").write_text("not sent yet")
        for value in (str(self.path("own.txt")), self.artifacts.execution_folder(), "a/b.txt", 1, None, "x\0"):
            self.assertIsNone(describe(value), value)
        self.path("a/b.txt").unlink()
        self.assertIsNone(describe(str(self.path("a/b.txt"))))

    def test_a_large_file_goes_in_pieces(self) -> None:
        content = os.urandom(7 * 1024 * 1024)
        self.artifacts.save_file("big.bin", content)
        mib = 1024 * 1024
        self.assertEqual(self.host.pieces, [3 * mib, 3 * mib, mib])
        self.assertEqual(self.host.files["big.bin"], content)

    def test_a_name_may_have_folders(self) -> None:
        self.artifacts.save_file("plots/2024/a.txt", "x")
        self.assertEqual(self.path("plots/2024/a.txt").read_text(), "x")
        self.assertEqual(self.host.files, {"plots/2024/a.txt": b"x"})

    def test_bad_names_are_refused_before_anything_is_written(self) -> None:
        for name in ("../a", "/tmp/a", "", "NUL", "a\0b", "stdout.txt"):
            with self.subTest(name), self.assertRaisesRegex(ValueError, "Cannot save"):
                self.artifacts.save_file(name, "x")
        with self.assertRaisesRegex(TypeError, "The name of a file is a str, got bytes"):
            self.artifacts.save_file(b"x", "a.txt")  # type: ignore[arg-type]
        self.assertEqual(self.artifacts.list_execution_files(), [])

    def test_other_content_is_refused_by_name(self) -> None:
        with self.assertRaisesRegex(TypeError, "Cannot save 'a.json': expected str or bytes, got dict"):
            self.artifacts.save_file("a.json", {})  # type: ignore[arg-type]

    def test_what_the_host_refuses_is_an_error_and_not_offered_again(self) -> None:
        self.host.refused.add("a.txt")
        with self.assertRaisesRegex(MCPError, "no"):
            self.artifacts.save_file("a.txt", "x")
        self.assertEqual(self.collect(), "")

    def test_a_full_disk_is_named(self) -> None:
        error = OSError(errno.ENOSPC, "No space left on device")
        with mock.patch("builtins.open", side_effect=error):
            with self.assertRaisesRegex(OSError, r"Cannot save 'a': .* has no room for 3 bytes"):
                self.artifacts.save_file("a", "xyz")

    def test_a_blob_saves_itself(self) -> None:
        Blob("image/png", PNG).save("a.png")
        self.assertEqual(self.host.files, {"a.png": PNG})

    def test_files_are_listed(self) -> None:
        self.assertEqual(self.artifacts.list_execution_files(), [])
        self.artifacts.save_file("b/c.txt", "xyz")
        self.path("a.txt").write_text("x")
        listed = [(entry["name"], entry["size"]) for entry in self.artifacts.list_execution_files()]
        self.assertEqual(listed, [("a.txt", 1), ("b/c.txt", 3)])


class CollectTest(ArtifactsCase):
    def test_files_written_by_any_means_are_sent_at_the_end(self) -> None:
        self.path("a.txt").write_text("x")
        self.path("sub").mkdir()
        self.path("sub/b.txt").write_text("y")
        self.assertEqual(self.host.files, {})
        self.assertEqual(self.collect(), "")
        self.assertEqual(self.host.files, {"a.txt": b"x", "sub/b.txt": b"y"})

    def test_a_saved_file_is_sent_again_only_if_it_changed(self) -> None:
        self.artifacts.save_file("a.txt", "x")
        self.artifacts.save_file("b.txt", "x")
        self.path("b.txt").write_text("longer")
        self.collect()
        self.assertEqual(self.host.pieces, [1, 1, 6])
        self.assertEqual(self.host.files["b.txt"], b"longer")

    def test_a_run_starts_with_an_empty_folder_at_the_same_path(self) -> None:
        folder = self.artifacts.execution_folder()
        self.artifacts.save_file("sub/a.txt", "x")
        self.collect()
        self.artifacts.folder.begin()
        self.assertEqual(self.artifacts.execution_folder(), folder)
        self.assertEqual(os.listdir(folder), [])
        self.artifacts.save_file("sub/a.txt", "x")
        self.assertEqual(self.host.pieces, [1, 1])

    def test_hidden_files_and_links_stay_in_the_sandbox(self) -> None:
        self.path(".cache").mkdir()
        self.path(".cache/a").write_text("x")
        self.path(".b").write_text("x")
        self.path("link").symlink_to("/etc/hostname")
        os.mkfifo(self.path("pipe"))
        self.assertEqual(self.collect(), "")
        self.assertEqual(self.host.files, {})

    def test_what_cannot_be_kept_is_reported_and_the_rest_is_kept(self) -> None:
        self.host.refused.add("b.txt")
        for name in ("a:b.txt", "b.txt", "c.txt"):
            self.path(name).write_text("x")
        self.assertEqual(
            self.collect(),
            'Not kept: a:b.txt: it contains :\nNot kept: Cannot keep the file "b.txt": no\n',
        )
        self.assertEqual(self.host.files, {"c.txt": b"x"})

    def test_no_more_than_100_files_are_offered(self) -> None:
        for number in range(150):
            self.path(f"{number:03}.txt").write_text("x")
        report = self.collect()
        self.assertEqual(len(self.host.files), 100)
        self.assertIn("Not kept: 100.txt: a run keeps at most 100 files\n", report)
        self.assertTrue(report.endswith("Not kept: 40 more files\n"), report)

    def test_an_interrupt_ends_the_sending_and_not_the_run(self) -> None:
        # In pieces: of a file whose last piece was sent the host has all.
        self.path("a.bin").write_bytes(bytes(5 * 1024 * 1024))
        self.path("b.txt").write_text("x")
        self.host.failure = KeyboardInterrupt()
        self.assertEqual(
            self.collect(),
            "Not kept: a.bin: the time of the run was over\nNot kept: b.txt: the time of the run was over\n",
        )

    def test_an_interrupt_after_the_last_piece_costs_nothing(self) -> None:
        self.path("a.txt").write_text("x")
        self.host.failure = KeyboardInterrupt()
        self.assertEqual(self.collect(), "")

    def test_after_an_interrupt_there_is_time_for_a_small_file(self) -> None:
        self.path("a.txt").write_text("x")
        self.assertEqual(self.collect(interrupted=True), "")
        self.assertEqual(self.host.files, {"a.txt": b"x"})

    def test_a_folder_that_the_program_removed_is_no_failure(self) -> None:
        os.rmdir(self.artifacts.execution_folder())
        self.assertEqual(self.collect(), "")
        self.artifacts.save_file("a.txt", "x")

    def test_a_program_that_broke_what_is_needed_loses_its_files_and_not_its_result(self) -> None:
        self.path("a.txt").write_text("x")
        with mock.patch("os.scandir", side_effect=TypeError("broken")):
            self.assertEqual(self.collect(), "Files of this run are not kept: TypeError: broken\n")

    def test_a_forked_process_leaves_the_files_to_its_parent(self) -> None:
        self.path("a.txt").write_text("x")
        with mock.patch("os.getpid", return_value=-1):
            self.assertEqual(self.collect(), "")
        self.assertEqual(self.host.files, {})

    def test_nothing_is_made_before_it_is_asked_for(self) -> None:
        with mock.patch.object(tempfile, "mkdtemp", side_effect=AssertionError):
            self.artifacts.folder.begin()
            self.assertEqual(self.collect(), "")


class OutputTest(unittest.TestCase):
    def read(self, *args: Any) -> str:
        host = FakeHost()
        host.outputs = ["erste Zeile: äöü €\n".encode(), b""]
        return past_output.read_output(host, *args)  # type: ignore[arg-type]

    def test_pieces_become_one_text(self) -> None:
        self.assertEqual(self.read(-2, "stdout", 0, None), "erste Zeile: äöü €\n")
        self.assertEqual(self.read(-1, "stdout", 0, None), "")
        self.assertEqual(self.read(-2, "stderr", 0, None), "")

    def test_ranges_count_characters(self) -> None:
        whole = "erste Zeile: äöü €\n"
        for offset in range(0, 22):
            for length in (None, 0, 1, 5, 100):
                end = None if length is None else offset + length
                self.assertEqual(self.read(-2, "stdout", offset, length), whole[offset:end])

    def test_other_runs_are_refused_in_words(self) -> None:
        for run in (0, 1, True, "x", None):
            with self.subTest(run), self.assertRaisesRegex(ValueError, "-1 is the run before this one"):
                self.read(run, "stdout", 0, None)
        with self.assertRaises(ValueError):
            self.read(-1, "stdout", -1, None)


if __name__ == "__main__":
    unittest.main()

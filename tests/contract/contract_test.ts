/** The contract suite on every engine of this machine. */
import { FakeEngine } from "../support/fake_engine.ts";
import { targets } from "../support/engines.ts";
import { artifactCases } from "./artifact_cases.ts";
import { awaitCases } from "./await_cases.ts";
import { chartAndTimeCases } from "./chart_and_time_cases.ts";
import { contentCases } from "./content_cases.ts";
import { docsCases } from "./docs_cases.ts";
import { documentCases } from "./document_cases.ts";
import { forgottenAwaitCases } from "./forgotten_await_cases.ts";
import { lifeCases } from "./life_cases.ts";
import { manualCases } from "./manual_cases.ts";
import { memoryCases } from "./memory_cases.ts";
import { programCases } from "./program_cases.ts";
import { pythonCases } from "./python_cases.ts";
import { scriptCases } from "./script_cases.ts";
import { serverCases } from "./server_cases.ts";
import { valueCases } from "./value_cases.ts";

lifeCases(
  { name: "fake", kind: "process", create: () => Promise.resolve(new FakeEngine()) },
  "fake",
);

for (const target of targets) lifeCases(target);

/**
 * Where an engine could differ: streams, the wire, waiting for the host. A container without rights is made
 * of the same processes, and old Python is old with any CLI.
 */
for (const target of targets.filter(({ name }) => !/rootless|docker, Python 3.11/.test(name))) {
  pythonCases(target);
  serverCases(target);
}

/**
 * What is built of Python on top of that needs each kind of interpreter and each version, but not each CLI:
 * what docker's streams make of programs is compared in `tests/differential/`.
 */
for (const target of targets.filter(({ name }) => !/rootless|docker/.test(name))) {
  scriptCases(target);
  valueCases(target);
  awaitCases(target);
  artifactCases(target);
  programCases(target);
  docsCases(target);
  contentCases(target);
  documentCases(target);
  manualCases(target);
  memoryCases(target);
  chartAndTimeCases(target);
  forgottenAwaitCases(target);
}

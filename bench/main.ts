// Runs the scenarios asked for, prints the report and writes every sample as JSON. What is measured and how is in
// scenarios/; which programs there are in programs/. Exit 1 when something could not be measured.
import { writeFileSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { createOtherEnd } from './load/other-end.js';
import { parseBenchOptions, type BenchOptions } from './options.js';
import { PROGRAMS, type Program } from './programs/index.js';
import { renderResult, renderSetting } from './report/render.js';
import type { ProgramInfo, RunReport, ScenarioResult } from './report/results.js';
import { runInterleaved, SCENARIOS, type MacroContext, type ScenarioName } from './scenarios/index.js';
import { installCleanUp } from './support/clean-up.js';
import { makePayload } from './support/payload.js';
import { createWorkspace } from './support/workspace.js';

const EXIT_USAGE = 2;
const GIB = 1024 ** 3;

const parsed = parseBenchOptions(process.argv.slice(2));
switch (parsed.kind) {
  case 'help':
    console.log(parsed.text);
    break;
  case 'error':
    console.error(parsed.message);
    process.exitCode = EXIT_USAGE;
    break;
  case 'run':
    installCleanUp();
    await run(parsed.options).catch((error: unknown) => {
      console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    });
}

async function run(options: BenchOptions): Promise<void> {
  const isMacro = options.scenarios.some((name) => SCENARIOS[name].kind === 'macro');
  const results: ScenarioResult[] = [];
  const show = (result: ScenarioResult) => {
    results.push(result);
    console.log(renderResult(result));
  };
  const setting = isMacro ? await runMacro(options, show) : null;
  for (const name of options.scenarios) {
    const scenario = SCENARIOS[name];
    if (scenario.kind === 'micro') show({ kind: 'micro', scenario: name, figures: await scenario.measure(options) });
    if (scenario.kind === 'library') {
      show(await scenario.measure({ ...options, onSample: (line) => console.error(line) }));
    }
  }
  const file = resolve(options.jsonFile ?? join(tmpdir(), `swarmd-bench-${Date.now()}.json`));
  writeFileSync(file, `${JSON.stringify({ machine: machine(), ...setting, results }, null, 2)}\n`);
  console.log(`\nevery sample: ${file}`);
  if (results.some(hasFailed)) process.exitCode = 1;
}

function hasFailed(result: ScenarioResult): boolean {
  if (result.kind === 'macro') return result.programs.some(({ failures }) => failures.length > 0);
  return result.kind === 'scale' && result.failures.length > 0;
}

async function runMacro(
  options: BenchOptions,
  show: (result: ScenarioResult) => void,
): Promise<Omit<RunReport, 'results'>> {
  const { programs, infos } = await findPrograms(options);
  const workspace = createWorkspace(options.sizeBytes);
  const otherEnd = createOtherEnd(options.otherEnd, workspace);
  const otherEndVersion = await otherEnd.version();
  if (otherEndVersion === null) throw new Error(`--other-end ${options.otherEnd} is not installed; try raw`);
  const setting = {
    startedAt: new Date().toISOString(),
    machine: machine(),
    payloadBytes: options.sizeBytes,
    pieceLength: options.pieceBytes,
    runs: options.runs,
    transfers: options.transfers,
    otherEnd: { name: options.otherEnd, version: otherEndVersion, settings: otherEnd.settings },
    programs: infos,
  };
  console.log(renderSetting(setting));
  const payload = makePayload(workspace.folder('payload'), options.sizeBytes, options.pieceBytes);
  const onSample = (line: string) => console.error(line);
  const { runs, transfers, peers } = options;
  const context: MacroContext = { workspace, payload, otherEnd, programs, runs, transfers, peers, onSample };
  for (const name of options.scenarios) await runIfMacro(name, context, show);
  return setting;
}

async function runIfMacro(
  name: ScenarioName,
  context: MacroContext,
  show: (result: ScenarioResult) => void,
): Promise<void> {
  const scenario = SCENARIOS[name];
  if (scenario.kind === 'macro') show(await runInterleaved(name, scenario, context));
}

/** Those that are installed; the others are named, not missed in silence. */
async function findPrograms(options: BenchOptions): Promise<{ programs: Program[]; infos: ProgramInfo[] }> {
  const programs: Program[] = [];
  const infos: ProgramInfo[] = [];
  for (const name of options.programs) {
    const program = PROGRAMS[name];
    const version = await program.version();
    if (version === null) {
      console.error(`${name}: not installed, left out`);
      continue;
    }
    programs.push(program);
    infos.push({ name, version, settings: program.settings, rc4Settings: program.rc4Settings });
  }
  return { programs, infos };
}

function machine(): string {
  const processors = cpus();
  const memory = (totalmem() / GIB).toFixed(0);
  return `${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${memory} GiB, Linux ${release()}`;
}

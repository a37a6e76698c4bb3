import t from 'tap';
import {
  cpuSeconds,
  parseCpuSeconds,
  parsePeakMemoryBytes,
  peakMemoryBytes,
  residentBytes,
} from '../../../../bench/measure/process-metrics.js';

void t.test('processor time is the sum of the process and its ended children', async (t) => {
  //  pid name state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime cutime cstime
  const fields = (name: string) => `42 (${name}) S 1 42 42 0 -1 4194304 11 0 3 0 250 150 30 20 20 0 1 0 123`;
  t.equal(parseCpuSeconds(fields('node')), 4.5);
  t.equal(parseCpuSeconds(fields('a) R (b 9 9')), 4.5, 'a name with brackets and spaces');
  t.throws(() => parseCpuSeconds('42 (node) S 1'), /not understood/);
});

void t.test('peak memory is VmHWM', async (t) => {
  t.equal(parsePeakMemoryBytes('Name:\tnode\nVmPeak:\t  900 kB\nVmHWM:\t  512 kB\nVmRSS:\t 1 kB\n'), 512 * 1024);
  t.throws(() => parsePeakMemoryBytes('Name:\tkthreadd\n'), /VmHWM/);
});

void t.test('this process has used both', async (t) => {
  t.ok(cpuSeconds(process.pid) > 0);
  t.ok(residentBytes(process.pid) <= peakMemoryBytes(process.pid));
  t.ok(residentBytes(process.pid) >= process.memoryUsage.rss() / 2);
  t.ok(peakMemoryBytes(process.pid) >= process.memoryUsage.rss() / 2);
});

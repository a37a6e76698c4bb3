// How a cost grows: the exponent of the power of N that fits it best.

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Slope of log y over log x by least squares: 0 is constant, 1 linear. NaN for fewer than two points; all positive. */
export function logLogSlope(points: readonly Point[]): number {
  const logs = points.filter(({ x, y }) => x > 0 && y > 0).map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(logs.map(({ x }) => x)), mean(logs.map(({ y }) => y))];
  const spread = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (logs.length < 2 || spread === 0) return NaN;
  return logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

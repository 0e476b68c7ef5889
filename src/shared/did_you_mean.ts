/** The name somebody most likely meant. */

/** Longer words are not compared: nobody mistypes so long a name, but a program can make one up. */
const MAX_CHARS = 100;

/** The candidate nearest to `word`, ignoring case, or `undefined` when none is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_CHARS) return undefined;
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.max(1, Math.floor(wanted.length / 3))) + 1;
  for (const candidate of candidates) {
    // The difference in length is the least the distance can be; it spares most of the work.
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance if it is below `limit`, otherwise `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  let start = 0;
  let [endA, endB] = [a.length, b.length];
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  return distanceBetween(a.slice(start, endA), b.slice(start, endB), limit);
}

/** One row at a time, and of each row only what is as near to the diagonal as `limit`. */
function distanceBetween(a: string, b: string, limit: number): number {
  const row = ROW.fill(limit, 0, b.length + 1);
  for (let j = 0; j < limit && j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const first = Math.max(1, i - limit);
    const last = Math.min(b.length, i + limit);
    const char = a.charCodeAt(i - 1);
    let diagonal = row[first - 1]!;
    let left = first === 1 ? Math.min(i, limit) : limit;
    let nearest = left;
    row[first - 1] = left;
    for (let j = first; j <= last; j++) {
      const above = row[j]!;
      const replaced = char === b.charCodeAt(j - 1) ? diagonal : diagonal + 1;
      left = Math.min(replaced, above + 1, left + 1, limit);
      row[j] = left;
      if (left < nearest) nearest = left;
      diagonal = above;
    }
    if (nearest >= limit) return limit;
  }
  return row[b.length]!;
}

/** Room for a row; lower case can be longer than what was written. */
const ROW = new Uint8Array(4 * MAX_CHARS);

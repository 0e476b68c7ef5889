/** The name somebody most likely meant. */
import { levenshteinDistance } from "@std/text/levenshtein-distance";

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
    const distance = levenshteinDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

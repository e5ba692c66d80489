/**
 * Which of `count` items a key moves to from the one at `at`; undefined for a key that moves
 * nothing. Going down from the last item begins at the first again, and the other way round.
 */
export function keyStep(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

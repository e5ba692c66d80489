import { useEffect, useState } from 'react';

/**
 * Counts down from this number of seconds. `startedAt` is in milliseconds; with 0 the countdown is over. Returns the
 * whole seconds that are left, and a function that starts the countdown again.
 */
export function useCountdown(
  seconds: number,
  startedAt: number,
): [secondsLeft: number, restart: () => void] {
  const [endsAt, setEndsAt] = useState(startedAt + seconds * 1000);
  const [now, setNow] = useState(Date.now);
  const secondsLeft = Math.max(0, Math.ceil((endsAt - now) / 1000));
  const isOver = secondsLeft === 0;

  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isOver]);

  function restart() {
    setNow(Date.now());
    setEndsAt(Date.now() + seconds * 1000);
  }

  return [secondsLeft, restart];
}

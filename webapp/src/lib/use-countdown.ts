import { useEffect, useState } from 'react';

/**
 * Counts down from an instant in milliseconds, 0 for none. Returns the whole seconds that are left, 0 when it is
 * over, and a function that starts it again.
 */
export function useCountdown(seconds: number, from: number): [left: number, restart: () => void] {
  const [endsAt, setEndsAt] = useState(from + seconds * 1000);
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((endsAt - now) / 1000));
  const isOver = left === 0;

  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isOver]);

  function restart() {
    setNow(Date.now());
    setEndsAt(Date.now() + seconds * 1000);
  }

  return [left, restart];
}

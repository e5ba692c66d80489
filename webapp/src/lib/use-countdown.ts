import { useEffect, useState } from 'react';

/**
 * Counts down the seconds since `from`, which is in milliseconds; 0 for a countdown that is over. Returns the whole
 * seconds that are left and a function that restarts the countdown now.
 */
export function useCountdown(seconds: number, from: number): [left: number, restart: () => void] {
  const [endsAt, setEndsAt] = useState(from + seconds * 1000);
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

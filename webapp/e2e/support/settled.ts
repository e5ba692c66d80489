import type { Page } from '@playwright/test';

/** Waits until the page shows what it was last told to: drawn, and nothing on its way there. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // In the first frame the page hears of a change, in the second it has begun to follow it.
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

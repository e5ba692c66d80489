import type { Page } from '@playwright/test';

/** Waits until the page is drawn and finite animations have ended. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A change takes effect in the first frame and starts animations in the second.
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
    const finiteAnimations = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(finiteAnimations.map(({ finished }) => finished));
  });
}

/** Returns the elements and pseudo-elements with an animation or transition of more than 50 ms, and running animations. */
export async function findMotion(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const maxDuration = 50;
    const longestOf = (durations: string) =>
      Math.max(...durations.split(',').map((text) => Number.parseFloat(text) * 1000));
    const motions = new Set<string>();
    for (const element of document.querySelectorAll('body, body :not(option, svg *)')) {
      for (const pseudo of [undefined, '::before', '::after']) {
        const style = getComputedStyle(element, pseudo);
        const isAnimated =
          style.animationName !== 'none' && longestOf(style.animationDuration) > maxDuration;
        if (isAnimated || longestOf(style.transitionDuration) > maxDuration) {
          motions.add(
            `<${element.localName} class="${element.getAttribute('class')}">${pseudo ?? ''}`,
          );
        }
      }
    }
    for (const animation of document.getAnimations()) {
      const { activeDuration = 0 } = animation.effect?.getComputedTiming() ?? {};
      if (Number(activeDuration) > maxDuration)
        motions.add(`${animation.constructor.name} (running)`);
    }
    return [...motions];
  });
}

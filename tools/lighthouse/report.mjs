// Getting a report out of Lighthouse.

/**
 * What Lighthouse found when `look` ran it. Chromium now and then records no trace; then Lighthouse
 * asks to be run again.
 */
export async function report(look, tries = 3) {
  const { lhr } = await look();
  if (!lhr.runtimeError) return lhr;
  if (tries === 1) throw new Error(`${lhr.requestedUrl}: ${lhr.runtimeError.message}`);
  return report(look, tries - 1);
}

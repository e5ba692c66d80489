/** The end of the plans page: the trial once more, or for who has used it, that plans can change. */
export function ClosingSection({ trialUsed }: { trialUsed: boolean }) {
  return (
    <section
      aria-labelledby="closing"
      className="mt-16 rounded-card bg-brand-soft px-6 py-10 text-center sm:py-14"
    >
      <h2 id="closing" className="text-2xl">
        {trialUsed ? 'A plan for where your practice is now' : 'Try Vision for 7 days for free'}
      </h2>
      <p className="mx-auto mt-3 max-w-2xl text-lg">
        {trialUsed
          ? 'You see what you pay before you confirm. There are no patient logins and no software to download, whichever plan you choose.'
          : 'Every plan starts with a 7-day free trial. Sign up today: there are no patient logins and no software to download, so your next consultation can be a video call.'}
      </p>
    </section>
  );
}

/** How the plans page ends: the trial once more, in one breath. */
export function ClosingSection() {
  return (
    <section
      aria-labelledby="closing"
      className="mt-16 rounded-card bg-brand-soft px-6 py-10 text-center sm:py-14"
    >
      <h2 id="closing" className="text-2xl">
        Try Vision for 7 days for free
      </h2>
      <p className="mx-auto mt-3 max-w-2xl text-lg">
        Every plan starts with a 7-day free trial. Sign up today: there are no patient logins and no
        software to download, so your next consultation can be a video call.
      </p>
    </section>
  );
}

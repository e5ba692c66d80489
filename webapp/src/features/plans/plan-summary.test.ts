import { aConfig } from '@/testing/fixtures';
import { summariesOf } from './plan-summary';

const { plans, rows } = aConfig().catalogue;

describe('summariesOf', () => {
  it('lists the features that each plan adds to the previous one, in the order of the comparison', () => {
    expect(summariesOf(plans, rows)).toEqual([
      {
        title: 'Standard gives you',
        items: ['2 callers in a call', '1 user license', 'Calls of up to 60 minutes'],
      },
      {
        title: 'Everything in Standard, and',
        items: ['4 callers in a call', 'TrueSteth function', 'RoomVu Lite', 'Untimed calls'],
      },
      {
        title: 'Everything in Professional, and',
        items: [
          '8 callers in a call',
          '5/10/15 user licenses',
          'ExamVu function',
          'Custom branding',
          'Custom meeting rooms',
        ],
      },
      {
        title: 'Everything in Multi-User, and',
        items: [
          '20 callers in a call',
          'Unlimited user licenses',
          'PMS calendar integration',
          'RoomVu Professional',
        ],
      },
    ]);
  });

  it('lists all distinctive features of a plan that lacks a feature of the previous one', () => {
    const [, professional, multiUser] = summariesOf(
      plans.map((plan) =>
        plan.id === 'multi-user'
          ? { ...plan, capabilities: { ...plan.capabilities, truesteth: false } }
          : plan,
      ),
      rows,
    );

    expect(professional?.title).toBe('Everything in Standard, and');
    expect(multiUser?.title).toBe('Multi-User gives you');
    expect(multiUser?.items).toContain('RoomVu Lite');
    expect(multiUser?.items).not.toContain('TrueSteth function');
  });

  it('appends the text of a capability to its label', () => {
    const plansWithText = plans.map((plan) => ({
      ...plan,
      capabilities: { ...plan.capabilities, email: plan.id },
    }));

    expect(summariesOf(plansWithText, rows)[1]?.items).toContain('Email invitations: professional');
  });
});

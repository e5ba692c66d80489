/** Throws what a browser throws when its settings forbid a call. */
export const throwSecurityError = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

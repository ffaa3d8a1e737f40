/** A port on which a process can listen again and again, unless somebody else does. */
export function lastingPort(): number;

/** A port on which a process can listen again and again, unless somebody does who did not ask here: of this process while it lives. */
export function lastingPort(): Promise<number>;

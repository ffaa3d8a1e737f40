import type { ChildProcess } from 'node:child_process';

export function whenGone(child: ChildProcess, milliseconds: number): Promise<boolean>;
export function killTree(child: ChildProcess): Promise<void>;
export function killFamily(pid: number): Promise<void>;
export function freezeTree(child: ChildProcess): void;
export function isRunning(pid: number): boolean;

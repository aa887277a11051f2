/** The fixed vocabularies of the Itanium C++ ABI's name mangling (section 5.1): builtin types, operators, standard names. */

/** <builtin-type>, one letter. Spelled as Nsight Compute spells them (`char`, `unsigned long long`). */
export const builtinTypes: Readonly<Record<string, string>> = {
  v: 'void',
  w: 'wchar_t',
  b: 'bool',
  c: 'char',
  a: 'signed char',
  h: 'unsigned char',
  s: 'short',
  t: 'unsigned short',
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  x: 'long long',
  y: 'unsigned long long',
  n: '__int128',
  o: 'unsigned __int128',
  f: 'float',
  d: 'double',
  e: 'long double',
  g: '__float128',
  z: '...',
}

/** <builtin-type> that begins with D. */
export const builtinTypesD: Readonly<Record<string, string>> = {
  Dn: 'std::nullptr_t',
  Da: 'auto',
  Dc: 'decltype(auto)',
  Dh: '__half',
  Ds: 'char16_t',
  Di: 'char32_t',
  Du: 'char8_t',
}

/** <substitution>: the abbreviations of the standard library. */
export const standardNames: Readonly<Record<string, string>> = {
  t: 'std',
  a: 'std::allocator',
  b: 'std::basic_string',
  s: 'std::string',
  i: 'std::istream',
  o: 'std::ostream',
  d: 'std::iostream',
}

/** <operator-name>, without the word `operator`. */
export const operators: Readonly<Record<string, string>> = {
  nw: ' new',
  na: ' new[]',
  dl: ' delete',
  da: ' delete[]',
  aw: ' co_await',
  ps: '+',
  ng: '-',
  ad: '&',
  de: '*',
  co: '~',
  pl: '+',
  mi: '-',
  ml: '*',
  dv: '/',
  rm: '%',
  an: '&',
  or: '|',
  eo: '^',
  aS: '=',
  pL: '+=',
  mI: '-=',
  mL: '*=',
  dV: '/=',
  rM: '%=',
  aN: '&=',
  oR: '|=',
  eO: '^=',
  ls: '<<',
  rs: '>>',
  lS: '<<=',
  rS: '>>=',
  eq: '==',
  ne: '!=',
  lt: '<',
  gt: '>',
  le: '<=',
  ge: '>=',
  ss: '<=>',
  nt: '!',
  aa: '&&',
  oo: '||',
  pp: '++',
  mm: '--',
  cm: ',',
  pm: '->*',
  pt: '->',
  cl: '()',
  ix: '[]',
  qu: '?',
}

/** Operators that expressions in template arguments use with two operands. */
export const binaryOperators: ReadonlySet<string> = new Set(
  'pl mi ml dv rm an or eo ls rs eq ne lt gt le ge aa oo'.split(' '),
)

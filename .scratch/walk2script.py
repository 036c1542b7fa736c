import re,sys,os
# reads a test log, writes scripts of failing walks
log=open(sys.argv[1],errors='replace').read().split('\n')
out=sys.argv[2]; os.makedirs(out,exist_ok=True)
OBJ=r'(?:Node|Leaf|Tag) (?:-?\d+|\?)'
TOK=re.compile(rf'({OBJ}\.\w+=(?:nil|{OBJ})|{OBJ}\.\w+[+-]{OBJ}|{OBJ}\.\w+ \d+->\d+|insert (?:Node|Tag) \d+|delete {OBJ}|refresh {OBJ}|save|failed \d+|merge \w|undo|redo|rollback)')
i=0;n=0
def kinds(case_lines):
    if any('policy' in l for l in case_lines): return 'policies'
    if any(re.search(r' (undo|redo|rollback)\b',l) for l in case_lines): return 'undoing'
    return 'merging'
while i<len(log):
    m=re.search(r'case (\d+):\s*$',log[i])
    if not m: i+=1; continue
    seed=m.group(1); j=i+1; lines=[];fails=[]
    while j<len(log):
        l=re.sub(r'^[^A-Za-z0-9]*(?:↳ )?','',log[j])
        if re.match(r'^(\d+ [ABCab]:|[ABCab]:|end:)',l): 
            if fails: break
            if re.match(r'^[ABCab]: (?!policy|save|\s*$)',l) : fails.append(l)
            else: lines.append(l)
        elif l.strip()=='' or 'Test ' in l[:8] : break
        else: fails.append(l)
        j+=1
    kind=kinds(lines)
    s=[]
    if kind!='policies': s.append('A: automatic')
    s.append('a: automatic')
    if kind=='undoing': s+= [f'{x}: undo manager' for x in 'ABCab']
    for l in lines:
        m=re.match(r'^([ABCab]): policy (.*)$',l)
        if m: s.append(l.strip()); continue
        m=re.match(r'^(?:\d+ )?([ABCab]|end):(.*)$',l)
        if not m: s.append('# '+l); continue
        p,rest=m.groups()
        toks=TOK.findall(rest)
        if p=='end': 
            toks=[t for t in toks]
        if re.search(r'\d',l.split(':')[0]) and any(not t.startswith(('save','failed','merge','undo','redo','rollback')) for t in toks): s.append(f'{p}: fetch')
        for t in toks:
            if t.startswith('failed'): continue
            if t.startswith('merge '):
                x=t[-1]
                if x in 'Cb': s.append(f'{x}: refresh all')
                elif x=='B' or (x=='A' and kind=='policies'): s.append(f'{x}: merge')
                continue
            mm=re.match(rf'^({OBJ}\.\w+) (\d+)->(\d+)$',t)
            if mm: s.append(f'{p}: {mm.group(1)}>{mm.group(3)}'); continue
            s.append(f'{p}: {t}')
        for x in 'ABCab': s.append(f'{x}: check')
    n+=1
    open(f'{out}/{kind}-{seed}.txt','w').write('\n'.join(s+['# '+f for f in fails])+'\n')
    print(kind,seed,len(s),fails[:4])
    i=j

import Foundation
for s in ["\u{301}", "a\u{301}", "\u{301}\u{301}", "\u{5B0}"] { print(Array(s.folding(options: [.diacriticInsensitive], locale: nil).unicodeScalars)) }

import CoreData
import Foundation
for (pattern, text) in [("x\u{E9}[a]", "x\u{E9}a"), ("xe\u{301}[a]", "xe\u{301}a"), ("x\u{E9}[a]", "x\u{E9}a")] {
  print(NSPredicate(format: "SELF MATCHES %@", pattern).evaluate(with: text))
}

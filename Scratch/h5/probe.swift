import CoreData
import Foundation

struct Gen { var s: UInt64; mutating func next() -> UInt64 { s = s &* 6364136223846793005 &+ 1442695040888963407; return s >> 17 } 
 mutating func pick(_ a: [String]) -> String { a[Int(next() % UInt64(a.count))] } }

func names(_ n: Int, _ umlauts: Bool) -> [String] {
  var g = Gen(s: 42)
  let first = umlauts ? ["Jürgen", "Jörg", "Änne", "Özlem", "Günther", "Zoë", "Andre", "Björn", "Käthe"] : ["Juergen", "Joerg", "Aenne", "Oezlem", "Guenther", "Zoe", "Andre", "Bjoern", "Kaethe"]
  let last = umlauts ? ["Müller", "Schäfer", "Weiß", "Köhler", "Groß", "König", "Fuchs", "Krüger"] : ["Mueller", "Schaefer", "Weiss", "Koehler", "Gross", "Koenig", "Fuchs", "Krueger"]
  return (0..<n).map { _ in "\(g.pick(last)) \(g.pick(first)) \(g.next() % 1000000)" }
}

func cpu() -> Double { var t = timespec(); clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return Double(t.tv_sec) * 1e6 + Double(t.tv_nsec) / 1e3 }

func run(_ n: Int, _ umlauts: Bool, only: String) throws {
  let e = NSEntityDescription(); e.name = "P"; e.managedObjectClassName = "NSManagedObject"
  let a = NSAttributeDescription(); a.name = "name"; a.attributeType = .stringAttributeType
  e.properties = [a]
  let m = NSManagedObjectModel(); m.entities = [e]
  let c = NSPersistentStoreCoordinator(managedObjectModel: m)
  let url = URL(fileURLWithPath: "/work/h5/.hc/probe-\(n)-\(umlauts).sqlite")
  let isThere = FileManager.default.fileExists(atPath: url.path)
  try c.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
  let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  context.persistentStoreCoordinator = c
  let all = names(n, umlauts)
  try context.performAndWait {
    if !isThere {
      for name in all { let o = NSEntityDescription.insertNewObject(forEntityName: "P", into: context); o.setValue(name, forKey: "name") }
      try context.save(); context.reset()
    }
    func measure(_ label: String, _ body: () throws -> Int) rethrows -> Double {
      if !only.isEmpty, !label.hasPrefix(only) { return 0 }
      var best = Double.infinity, result = 0
      for _ in 0..<(only.isEmpty ? 5 : 2) { let t = cpu(); result = try body(); best = min(best, cpu() - t) }
      print("\(n) \(umlauts ? "umlaut" : "ascii ") \(label): \(String(format: "%.3f", best / Double(n))) us (\(result))")
      return best
    }
    for sel in ["none", "caseInsensitiveCompare:", "localizedStandardCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:"] {
      let r = NSFetchRequest<NSManagedObjectID>(entityName: "P"); r.resultType = .managedObjectIDResultType
      if sel != "none" { r.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true, selector: Selector(sel))] }
      if n > 10000, sel.hasPrefix("localized"), only.isEmpty { continue }
      _ = try measure("sort \(sel)") { try context.fetch(r).count }
    }
    let text = umlauts ? "müller" : "mueller"
    for f in ["name CONTAINS %@", "name CONTAINS[cd] %@", "name CONTAINS[c] %@", "name ==[cd] %@", "name BEGINSWITH[cd] %@", "name LIKE[cd] %@", "name LIKE %@", "name <[cd] %@", "name MATCHES %@", "name MATCHES[c] %@", "name MATCHES '.*[0-4]+.*'"] {
      let r = NSFetchRequest<NSManagedObject>(entityName: "P")
      let t = f.contains("LIKE") ? "*\(text)*" : f.contains("MATCHES") ? ".*\(text.capitalized).*" : text
      r.predicate = NSPredicate(format: f, t)
      _ = try measure("sql \(f)") { try context.count(for: r) }
      let p = NSPredicate(format: f.replacingOccurrences(of: "name", with: "SELF"), t)
      _ = try measure("mem \(f)") { all.reduce(0) { $0 + (p.evaluate(with: $1) ? 1 : 0) } }
    }
    for sel in ["caseInsensitiveCompare:", "localizedStandardCompare:"] {
      if n > 10000, sel.hasPrefix("localized"), only.isEmpty { continue }
      let array = all as NSArray
      _ = measure("memsort \(sel)") { array.sortedArray(using: [NSSortDescriptor(key: nil, ascending: true, selector: Selector(sel))]).count }
    }
  }
}
let args = CommandLine.arguments
if args.count > 2 { try run(Int(args[1])!, args[2] == "u", only: args.count > 3 ? args[3] : "") }
else { for n in [10000, 100000] { for u in [false, true] { try run(n, u, only: "") } } }

/// Source of a module with random names and types, which compiles when the names happen not to collide.
struct RandomModule {
  private static let words = [
    "Person", "Tag", "name", "Name", "my", "My", "App", "URL", "id", "ID", "x", "X", "Date", "date", "Foundation", "A1",
    "_", "__", "Data", "Item", "item", "List", "String", "NS", "é", "größe", "名",
  ]

  private var generator: SplitMix
  private(set) var name = ""
  private(set) var source = ""
  private var entities: [String] = []

  init(seed: UInt64) {
    generator = SplitMix(state: seed)
    name = "M" + identifier().filter(\.isASCII)
    while entities.count < 3 {
      let entity = "E" + identifier()
      if !entities.contains(entity), entity != name { entities.append(entity) }
    }
    source = "import Foundation\nimport OpenCoreData\n"
    for (index, entity) in entities.enumerated() { write(entity, isPrivate: index == 2) }
  }

  private mutating func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
  private mutating func pick(_ list: [String]) -> String { list[random(list.count)] }

  private mutating func identifier() -> String {
    let text = (0...random(4)).map { _ in pick(RandomModule.words) }.joined()
    return text.allSatisfy { $0 == "_" } ? text + "a" : text
  }

  private mutating func type(_ depth: Int = 0) -> String {
    switch random(depth < 2 ? 12 : 6) {
    case 0...3:
      return pick([
        "Swift.String", "Int32", "Int64", "Bool", "Double", "Foundation.Date", "Foundation.Data", "UUID", "Decimal",
        "NSSet", "NSNumber", "Any", "NSRange", "CGFloat",
      ])
    case 4, 5: return entities[random(2)]
    case 6, 7:
      let wrapped = type(depth + 1)
      if wrapped.hasSuffix("?") { return wrapped }
      return wrapped.hasPrefix("any ") ? "(\(wrapped))?" : wrapped + "?"
    case 8: return "Swift.Set<\(entities[random(2)])>"
    case 9: return "[\(type(depth + 1))]"
    case 10: return "[Swift.String: \(type(depth + 1))]"
    default: return "any NSCoding"
    }
  }

  private mutating func write(_ entity: String, isPrivate: Bool) {
    var uses: [String] = []
    source += "\(isPrivate ? "private" : "public") class \(entity): NSManagedObject {\n"
    for index in 0..<8 {
      let property = "p\(index)" + identifier()
      source += "  @NSManaged \(random(3) == 0 ? "fileprivate " : "")var \(property): \(type())\n"
      uses.append("let v\(index) = o.\(property); o.\(property) = v\(index)")
    }
    for index in 0..<4 {
      let method = "f\(index)" + identifier()
      let parameters = (0..<random(4)).map { number in
        (pick(["_", "at", "with", "l" + identifier()]), "a\(index)\(number)", type())
      }
      let list = parameters.map { "\($0.0) \($0.1): \($0.2)" }.joined(separator: ", ")
      source += "  @NSManaged \(random(3) == 0 ? "fileprivate " : "")func \(method)(\(list))\n"
      let arguments = parameters.map { ($0.0 == "_" ? "" : $0.0 + ": ") + "get()" }.joined(separator: ", ")
      uses.append("o.\(method)(\(arguments))")
    }
    source += "  class Inner: NSManagedObject { @NSManaged var deep: \(entity)? }\n}\n"
    uses.append("let i: \(entity).Inner = get(); i.deep = nil; _ = i.deep")
    source += "private func use(_ o: \(entity)) {\n  \(uses.joined(separator: "\n  "))\n}\n"
    if isPrivate {
      source +=
        "func get<T>() -> T { fatalError() }\npublic func start() { \(entities.map { "use(get() as \($0))" }.joined(separator: "; ")) }\n"
    }
  }
}

/// A generator whose numbers depend on the seed alone.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

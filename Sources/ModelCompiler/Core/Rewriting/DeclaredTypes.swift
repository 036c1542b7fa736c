/// The types of the rewritten files with what they inherit from, as far as the sources say.
///
/// Types of other modules are there under the names that extensions give them.
struct DeclaredTypes {
  /// A member of a type, or a function outside of all types, whose path is empty.
  struct Member {
    let file: Int
    let owner: TypeBody
    let outline: MemberOutline
  }

  private(set) var members: [String: [Member]] = [:]
  private var paths: Set<[String]> = []
  private var protocols: Set<[String]> = []
  private var inherited: [[String]: [[String]]] = [:]
  /// Names that stand for a type which is not looked for here.
  private var aliases: Set<String> = []
  private var families: [[String]: Set<[String]>] = [:]

  init(_ files: [SourceFile]) {
    for (index, file) in files.enumerated() {
      for body in file.bodies {
        for member in body.members where !member.name.isEmpty {
          members[member.name, default: []].append(Member(file: index, owner: body, outline: member))
        }
        guard !body.path.isEmpty else { continue }
        paths.insert(body.path)
        if body.keyword == "protocol" { protocols.insert(body.path) }
        inherited[body.path, default: []] += Self.inheritance(of: body, file.tokens)
      }
      for (word, name) in zip(file.tokens, file.tokens.dropFirst())
      where word.isKeyword("typealias") || word.isKeyword("associatedtype") {
        aliases.insert(name.text)
      }
    }
    for path in paths { families[path] = findFamily(of: path) }
  }

  /// The names between the colon of a declaration and its body.
  private static func inheritance(of body: TypeBody, _ tokens: [Token]) -> [[String]] {
    guard let start = tokens[..<body.open].lastIndex(where: { $0.isKeyword(body.keyword) }) else { return [] }
    var names: [[String]] = []
    var depth = 0
    var isAfterColon = false
    var continues = false
    for token in tokens[start..<body.open] {
      if token.isKeyword("where") { break }
      if token.isPunctuation("<") { depth += 1 }
      if token.isPunctuation(">") { depth -= 1 }
      if depth > 0 { continue }
      if token.isPunctuation(":") { isAfterColon = true }
      if isAfterColon, token.isName {
        if continues, !names.isEmpty {
          names[names.count - 1].append(token.text)
        } else {
          names.append([token.text])
        }
      }
      continues = token.isPunctuation(".")
    }
    return names
  }

  /// The types that a name in the sources may mean: those that are declared, or extended, under it.
  func types(named names: [String]) -> [[String]] {
    if let first = names.first, aliases.contains(first) { return [] }
    if paths.contains(names) { return [names] }
    return paths.filter { $0.count > names.count && Array($0.suffix(names.count)) == names }.sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  /// A type with the classes and protocols that it inherits from.
  func family(of path: [String]) -> Set<[String]> { families[path] ?? [path] }

  /// The types that conform to a protocol, each with what it inherits from.
  func families(conformingTo path: [String]) -> [Set<[String]>] {
    families.filter { !protocols.contains($0.key) && $0.value.contains(path) }.map(\.value)
  }

  private func findFamily(of path: [String]) -> Set<[String]> {
    var result: Set = [path]
    var open = [path]
    while let next = open.popLast() {
      for names in inherited[next] ?? [] {
        let known = types(named: names)
        for found in known.isEmpty ? [names] : known where result.insert(found).inserted { open.append(found) }
      }
    }
    return result
  }
}

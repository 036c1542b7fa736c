import Foundation
import OpenCocoaFoundation
internal import XMLReading

/// Reads the document of an XML store. Elements and attributes that it does not know are errors, because the next save would
/// lose them.
struct XMLStoreReader {
  /// The part of the file before the objects.
  struct Head {
    var metadata = StoreMetadata(identifier: "", properties: [:])
    var lastReference: Int64 = 0
    var version = ""
    /// The range of the <databaseInfo> element in the file.
    var range = 0..<0
  }

  private var scanner: XMLScanner
  private(set) var head = Head()

  /// Reads the file up to the first object.
  /// - Throws: `StoreFileProblem`.
  init(_ data: Data) throws {
    do {
      scanner = try XMLScanner(data)
    } catch {
      throw StoreFileProblem(error)
    }
    guard let root = try child(), root.name == "database" else {
      throw scanner.problem("It is no Core Data store: its element is not <database>.")
    }
    try check(root, attributes: [])
    guard let info = try child(), info.name == "databaseInfo" else {
      throw scanner.problem("It has no <databaseInfo>.")
    }
    try check(info, attributes: [])
    try readHead(from: scanner.place)
  }

  private mutating func readHead(from start: Int) throws {
    var hasMetadata = false
    while let part = try child() {
      switch part.name {
      case "version":
        head.version = try text()
        if Int64(head.version) == nil { throw scanner.problem("<version> is no number.") }
      case "UUID": head.metadata.identifier = try text()
      case "nextObjectID":
        guard let number = Int64(try text()), number >= 0 else { throw scanner.problem("<nextObjectID> is no number.") }
        head.lastReference = number
      case "metadata":
        head.metadata.properties = try propertyList()
        hasMetadata = true
      default: throw scanner.problem("<databaseInfo> has an unknown part: <\(part.name)>.")
      }
    }
    head.range = start..<scanner.position
    guard UUID(uuidString: head.metadata.identifier) != nil else {
      throw StoreFileProblem("<databaseInfo> has no UUID.", at: start)
    }
    if !hasMetadata { throw StoreFileProblem("<databaseInfo> has no <metadata>.", at: start) }
  }

  private mutating func propertyList() throws -> [String: Any] {
    guard let list = try child(), list.name == "plist" else { throw scanner.problem("<metadata> has no <plist>.") }
    let start = scanner.place
    try skip()
    let data = Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>".utf8) + scanner.slice(start..<scanner.position)
    guard let properties = try? PropertyListReader.dictionary(data) else {
      throw StoreFileProblem("The metadata are no dictionary of a property list.", at: start)
    }
    if let other = try child() { throw scanner.problem("<metadata> has an unknown part: <\(other.name)>.") }
    return properties
  }

  // MARK: Objects

  /// Reads the objects.
  /// - Parameter isStrict: whether types and destinations in the file must be those of the model.
  mutating func readObjects(_ names: XMLStoreNames, into loader: inout NodeLoader, isStrict: Bool) throws {
    if isStrict, scanner.documentType != "database" {
      throw StoreFileProblem("Its document type is not database.", at: 0)
    }
    while let part = try child() {
      guard part.name == "object" else { throw scanner.problem("<database> has an unknown part: <\(part.name)>.") }
      try check(part, attributes: ["type", "id"])
      guard let type = part["type"], let entity = names.entity(type) else {
        throw scanner.problem("There is an object of an entity that the model does not have: \(part["type"] ?? "").")
      }
      guard let number = part["id"].flatMap(Self.number) else {
        throw scanner.problem("There is an object without a number: \(part["id"] ?? "").")
      }
      let node = try loader.add(number, entity.entity, at: scanner.place)
      try readProperties(node, entity, into: &loader, isStrict: isStrict)
    }
    guard case .finished = try next() else { throw scanner.problem("There is more than one document.") }
    if isStrict, head.lastReference < loader.last {
      throw StoreFileProblem("<nextObjectID> is behind the object z\(loader.last).", at: head.range.lowerBound)
    }
  }

  /// Counts the objects by their type. Their properties are passed over.
  mutating func objectCounts() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    while let part = try child() {
      guard part.name == "object" else { throw scanner.problem("<database> has an unknown part: <\(part.name)>.") }
      counts[part["type"] ?? "", default: 0] += 1
      try skip()
    }
    return counts
  }

  private mutating func readProperties(
    _ node: NSAtomicStoreCacheNode, _ entity: XMLStoreNames.Entity, into loader: inout NodeLoader, isStrict: Bool
  ) throws {
    var seen: Set<String> = []
    while let part = try child() {
      let isAttribute = part.name == "attribute"
      guard isAttribute || part.name == "relationship" else {
        throw scanner.problem("<object> has an unknown part: <\(part.name)>.")
      }
      try check(part, attributes: isAttribute ? ["name", "type"] : ["name", "type", "destination", "idrefs"])
      let place = scanner.place
      guard let name = part["name"], let property = entity.property(name),
        property.slot.kind.isRelationship != isAttribute
      else {
        throw scanner.problem("The entity \(entity.entity.name ?? "") has no such \(part.name): \(part["name"] ?? "").")
      }
      guard seen.insert(property.name).inserted else { throw scanner.problem("There are two values of \(name).") }
      if isStrict { try checkTypes(part, property) }
      let text = try text()
      if isAttribute {
        let slot = property.slot
        guard let value = StoredValue.parse(XMLStoreText.decoded(text), for: slot) else {
          throw StoreFileProblem("The attribute \(name) has a value that is no \(property.type).", at: place)
        }
        node.setStored(value, slot)
      } else {
        guard text.allSatisfy(\.isWhitespace) else { throw StoreFileProblem("<relationship> has text.", at: place) }
        let identifiers = try (part["idrefs"] ?? "").split(separator: " ").map { reference in
          guard let number = Self.number(reference) else {
            throw StoreFileProblem("The relationship \(name) leads to what is no object: \(reference).", at: place)
          }
          return number
        }
        try loader.refer(node, property.slot, identifiers, at: place)
      }
    }
  }

  private func checkTypes(_ part: Element, _ property: XMLStoreNames.Property) throws {
    if part["type"] != property.type {
      throw scanner.problem("\(property.name) is of type \(part["type"] ?? ""), but \(property.type) in the model.")
    }
    if part.name == "relationship", part["destination"]?.uppercased() != property.destination.uppercased() {
      throw scanner.problem("\(property.name) leads to \(part["destination"] ?? ""), not to \(property.destination).")
    }
  }

  private static func number(_ text: some StringProtocol) -> Int64? {
    guard text.utf8.first == UInt8(ascii: "z"), text.utf8.dropFirst().allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int64(text.dropFirst())
  }

  // MARK: Elements

  private struct Element {
    let name: String
    let attributes: [(name: String, value: String)]

    subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  private mutating func next() throws -> XMLScanner.Event {
    do {
      return try scanner.next()
    } catch {
      throw StoreFileProblem(error)
    }
  }

  /// Returns the next element inside the current one; nil at the end of the current one.
  private mutating func child() throws -> Element? {
    while true {
      switch try next() {
      case .start(let name, let attributes): return Element(name: name, attributes: attributes)
      case .text(let text) where text.utf8.allSatisfy({ $0 <= 32 }): continue
      case .text: throw scanner.problem("There is text between elements.")
      case .end, .finished: return nil
      }
    }
  }

  /// Returns the text of the current element, and reads up to the element's end.
  private mutating func text() throws -> String {
    var result = ""
    while true {
      switch try next() {
      case .text(let part): result += part
      case .start(let name, _): throw scanner.problem("There is an element inside of text: <\(name)>.")
      case .end, .finished: return result
      }
    }
  }

  /// Skips the rest of the current element.
  private mutating func skip() throws {
    var depth = 1
    while depth > 0 {
      switch try next() {
      case .start: depth += 1
      case .end: depth -= 1
      case .text: continue
      case .finished: return
      }
    }
  }

  private func check(_ element: Element, attributes known: [String]) throws {
    guard let other = element.attributes.first(where: { !known.contains($0.name) }) else { return }
    throw scanner.problem("<\(element.name)> has an unknown attribute: \(other.name).")
  }
}

extension XMLScanner {
  /// Returns a problem at the place of the latest event.
  fileprivate func problem(_ reason: String) -> StoreFileProblem { StoreFileProblem(reason, at: place) }
}

extension StoreFileProblem {
  init(_ problem: XMLProblem) { self.init(problem.reason, at: problem.place) }
}

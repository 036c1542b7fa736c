import Foundation
internal import XMLReading

/// An XML element with its attributes and child elements. Text between elements means nothing in a model.
final class XMLElementTree {
  let name: String
  let attributes: [String: String]
  private(set) var children: [XMLElementTree] = []

  private init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// Makes an element; attributes without a value are left out.
  init(_ name: String, _ attributes: [String: String?], _ children: [XMLElementTree] = []) {
    self.name = name
    self.attributes = attributes.compactMapValues { $0 }
    self.children = children
  }

  /// The value of an attribute.
  subscript(_ attribute: String) -> String? { attributes[attribute] }

  /// Whether an attribute has a value that means yes.
  func flag(_ attribute: String) -> Bool {
    switch attributes[attribute] {
    case "YES", "true", "1": true
    default: false
    }
  }

  /// Returns the child elements with a name.
  func children(named name: String) -> [XMLElementTree] { children.filter { $0.name == name } }

  /// Parses a document.
  /// - Throws: `ModelProblem.unreadable`.
  static func parse(_ data: Data) throws -> XMLElementTree {
    do {
      return try tree(of: data)
    } catch {
      let line = error.position(in: data).line
      if error.kind == .encoding { throw ModelProblem.unreadable("The file is not text in UTF-8 (line \(line)).") }
      throw ModelProblem.unreadable("The file is not well-formed XML (line \(line)). \(error.reason)")
    }
  }

  private static func tree(of data: Data) throws(XMLProblem) -> XMLElementTree {
    var scanner = try XMLScanner(data)
    var root: XMLElementTree?
    var open: [XMLElementTree] = []
    while true {
      switch try scanner.next() {
      case .start(let name, let attributes):
        let attributes = Dictionary(attributes.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let element = XMLElementTree(name: name, attributes: attributes)
        open.last?.children.append(element)
        root = root ?? element
        open.append(element)
      case .end: open.removeLast()
      case .text: continue
      case .finished:
        // The scanner has refused a document without an element.
        guard let root else { throw XMLProblem(kind: .form, reason: "There is no element.", place: 0) }
        return root
      }
    }
  }
}

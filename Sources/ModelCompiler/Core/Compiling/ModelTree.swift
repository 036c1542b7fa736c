import Foundation
import XMLReading

/// An element of a model's XML with its child elements. Unlike `ModelSource`, which has only what classes depend on, it
/// has everything in the file.
final class ModelTree {
  let element: ModelElement
  fileprivate(set) var children: [ModelTree] = []

  fileprivate init(_ element: ModelElement) { self.element = element }

  func children(named name: String) -> [ModelTree] { children.filter { $0.element.name == name } }

  /// The value of an attribute; nil for an empty one.
  subscript(_ attribute: String) -> String? { element[attribute] }

  func flag(_ attribute: String) -> Bool { element.flag(attribute) }

  /// Returns the `<model>` of a file; nil if `ModelReader` would report an error.
  static func parse(_ data: Data) -> ModelTree? {
    guard var elements = try? ModelElements(data) else { return nil }
    var root: ModelTree?
    var open: [ModelTree] = []
    while true {
      guard let event = try? elements.next() else { return nil }
      switch event {
      case .start(let element):
        let tree = ModelTree(element)
        open.last?.children.append(tree)
        root = root ?? tree
        open.append(tree)
      case .end: open.removeLast()
      case .finished: return root?.element.name == "model" ? root : nil
      }
    }
  }
}

import Foundation

extension NSSortDescriptor: @retroactive NSSecureCoding {
  /// True: sort descriptors are archived securely.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the descriptor in Apple's layout.
  ///
  /// Stops the program for a descriptor with a comparator, which cannot be archived, or with a Swift key path that has no
  /// name; see `OCDRegisterKeyPath(_:name:)`.
  public func encode(with coder: NSCoder) {
    guard let selector else { raise(.invalidArgument, "Cannot archive an NSSortDescriptor with a comparator: \(self)") }
    coder.encode(archivedKey.map { $0 as NSString }, forKey: "NSKey")
    coder.encode(ascending, forKey: "NSAscending")
    coder.encode(false, forKey: "NSReverseNullOrder")
    coder.encode(selector.description as NSString, forKey: "NSSelector")
  }

  private var archivedKey: String? {
    guard let descriptor = self as? KeyedSortDescriptor else { return KeyPathNames.requiredName(of: keyPath) }
    switch descriptor.source {
    case .evaluatedObject: return nil
    case .key(let key): return key
    case .keyPath(let keyPath): return KeyPathNames.requiredName(of: keyPath)
    }
  }
}

/// A class whose `init?(coder:)` may return an instance of a subclass; the protocol's extension declares this initialiser.
public protocol _SortDescriptorFactory {}

extension NSSortDescriptor: _SortDescriptorFactory {}

extension _SortDescriptorFactory where Self: NSSortDescriptor {
  /// Decodes a descriptor that was archived here or by Apple's frameworks.
  ///
  /// Returns nil and reports an error (4864) to the coder if the descriptor sorts by a method that is not supported.
  public init?(coder: NSCoder) {
    guard let descriptor = coder.decoding({ try KeyedSortDescriptor.decode(coder) }) as? Self else { return nil }
    self = descriptor
  }
}

extension KeyedSortDescriptor {
  fileprivate static func decode(_ coder: NSCoder) throws -> NSSortDescriptor {
    let key = try coder.archived(String?.self, "NSKey")
    let name = try coder.archived(String?.self, "NSSelector") ?? "compare:"
    // A descriptor with an unknown selector would stop the program when it sorts.
    guard StringOrder(Selector(name)) != nil else {
      throw ArchiveProblem("unsupported NSSortDescriptor selector: \(name)")
    }
    guard !coder.decodeBool(forKey: "NSReverseNullOrder") else {
      throw ArchiveProblem("A sort descriptor with nil at the other end is not supported.")
    }
    return KeyedSortDescriptor(
      source: key.map(Source.key) ?? .evaluatedObject, ascending: coder.decodeBool(forKey: "NSAscending"),
      order: .selector(Selector(name)))
  }
}

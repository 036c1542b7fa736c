import Foundation
import OpenCocoaFoundation

// Sendable unchecked: immutable.
/// Stands for one state of a coordinator's SQLite stores, a query generation; see
/// `NSManagedObjectContext.setQueryGenerationFrom(_:)`.
///
/// A token retains its generation, and so keeps the store's write-ahead log from being reused. Tokens are equal
/// if their generations are. An archived token is good in the same process, as long as something holds its generation;
/// elsewhere it still compares, but no context can be pinned to it.
public final class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let id: UUID?
  /// The generation; nil for `current`, and for a token that was decoded when its generation did not exist any more.
  let generation: QueryGeneration?

  private static let archiveKey = "OCDQueryGeneration"
  private static let currentMark = "current"

  /// Asks for the state that is the latest when a context reads next.
  public static let current = NSQueryGenerationToken(current: ())

  private init(current: ()) {
    id = nil
    generation = nil
    super.init()
  }

  init(_ generation: QueryGeneration) {
    id = generation.id
    self.generation = generation
    super.init()
  }

  /// Whether the token is `current`, which stands for no particular state.
  var isCurrent: Bool { id == nil }

  /// True: tokens are archived securely.
  public static var supportsSecureCoding: Bool { true }

  /// Decodes a token that `encode(with:)` archived; nil for anything else.
  ///
  /// Differs from Apple (D-CTX-25): tokens of Apple's frameworks are not read.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: Self.archiveKey) as String? else { return nil }
    if text == Self.currentMark {
      id = nil
      generation = nil
    } else if let id = UUID(uuidString: text) {
      self.id = id
      generation = QueryGeneration.find(id)
    } else {
      return nil
    }
    super.init()
  }

  /// Archives the token's identity; the archive does not hold the generation.
  public func encode(with coder: NSCoder) {
    coder.encode((id?.uuidString ?? Self.currentMark) as NSString, forKey: Self.archiveKey)
  }

  /// The token itself, since it never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSQueryGenerationToken).map { $0.id == id } ?? false
  }

  public override var hash: Int { id.hashValue }

  public override var description: String { "<NSQueryGenerationToken: \(id?.uuidString ?? Self.currentMark)>" }
}

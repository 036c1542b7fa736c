import Foundation
import OpenCocoaFoundation

/// A property whose value is the result of a fetch request, without a relationship.
///
/// Its predicate may contain the variables `$FETCH_SOURCE`, the object that has the property, and `$FETCHED_PROPERTY`, the
/// description itself.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  final var template: FetchRequestTemplate? { willSet { willModify() } }

  /// Makes a fetched property without a request. It is transient, since no store keeps it.
  public override init() {
    super.init()
    isTransient = true
  }

  /// Decodes a fetched property. Nil, with an error of the coder, for an archive that holds none.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// The fetch request.
  ///
  /// Differs from Apple (D-MOD-04): the description keeps a copy and returns copies; changing one does not change the model.
  public final var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    get { template?.request(in: owner?.model) }
    set { template = newValue.map { FetchRequestTemplate($0) } }
  }

  override func detachedCopy() -> NSPropertyDescription {
    let copy = NSFetchedPropertyDescription()
    copyFields(to: copy)
    return copy
  }

  override func copyFields(to copy: NSPropertyDescription) {
    super.copyFields(to: copy)
    (copy as? NSFetchedPropertyDescription)?.template = template
  }

  override func hasEqualFields(_ other: NSPropertyDescription) -> Bool {
    super.hasEqualFields(other) && (other as? NSFetchedPropertyDescription)?.template == template
  }
}

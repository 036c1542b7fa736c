import Foundation
import OpenCocoaFoundation

/// A property that stands for the result of a fetch request, without a relationship.
///
/// Its predicate may contain the variables `$FETCH_SOURCE`, the object that has the property, and `$FETCHED_PROPERTY`,
/// the description itself.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  final var template: FetchRequestTemplate? { willSet { willModify() } }

  /// Makes a fetched property without a request. It is transient, because no store keeps it.
  public override init() {
    super.init()
    isTransient = true
  }

  /// Decodes a fetched property. Returns nil, with an error of the coder, if the archive holds none.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// The request whose results are the property's value.
  ///
  /// Differs from Apple (D-MOD-04): the description keeps a copy of the request and returns copies; changing a copy
  /// does not change the model.
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

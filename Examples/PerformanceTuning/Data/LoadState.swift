/// What a store holds, as its metadata says.
///
/// The last batch and the mark that the load is complete are saved together: an interrupted load never looks complete.
public enum LoadState: Hashable, Sendable {
  /// Nothing was ever loaded.
  case empty
  /// A load was begun and did not end.
  case incomplete
  /// Everything is there.
  case complete(SampleSize)

  /// The key in the store's metadata.
  static let metadataKey = "PerformanceTuningData"

  init(metadata: [String: Any]) {
    guard let text = metadata[Self.metadataKey] as? String else {
      self = .empty
      return
    }
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    if numbers.count == 3 {
      self = .complete(SampleSize(people: numbers[0], selfies: numbers[1], networks: numbers[2]))
    } else {
      self = .incomplete
    }
  }

  /// What stands in the metadata for this state.
  var metadataValue: String? {
    switch self {
    case .empty: nil
    case .incomplete: "loading"
    case .complete(let size): "\(size.people) \(size.selfies) \(size.networks)"
    }
  }
}

import Foundation

func joined(_ key: String, _ number: Int) -> String {
    return "\(#keyPath(Task.title))-\(number)"
}

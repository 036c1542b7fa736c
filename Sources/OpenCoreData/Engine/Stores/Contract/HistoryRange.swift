import Foundation

/// Where a part of history begins.
package enum HistoryRange {
  case number(Int64)
  case date(Date)
}

// An initiator on QuickFIX: places an order, asks for its status, cancels it.
#include <quickfix/Application.h>
#include <quickfix/MessageCracker.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>
#include <quickfix/fix44/ExecutionReport.h>
#include <quickfix/fix44/NewOrderSingle.h>
#include <quickfix/fix44/OrderCancelRequest.h>
#include <quickfix/fix44/OrderStatusRequest.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <list>
#include <mutex>
#include <sstream>
#include <stdexcept>

namespace {

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

class Initiator : public FIX::NullApplication {
 public:
  void onLogon(const FIX::SessionID&) override { tell("logon", FIX::Message()); }

  void toAdmin(FIX::Message& message, const FIX::SessionID&) override {
    if (message.getHeader().getField(FIX::FIELD::MsgType) != "A") return;
    message.setField(FIX::FIELD::Username, setting("KEY"));
    message.setField(FIX::FIELD::Password, setting("SECRET"));
  }

  void fromAdmin(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::RejectLogon) override {
    const auto type = message.getHeader().getField(FIX::FIELD::MsgType);
    if (type == "3" || type == "5") tell("refusal", message);
  }

  void fromApp(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) override {
    tell(message.getHeader().getField(FIX::FIELD::MsgType), message);
  }

  // The first message of which this is so, in 30 s.
  FIX::Message next(const std::function<bool(const std::string&, const FIX::Message&)>& isIt) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    for (;;) {
      while (!told_.empty()) {
        const auto [type, message] = told_.front();
        told_.pop_front();
        if (isIt(type, message)) return message;
        if (type == "refusal" || type == "j" || type == "9")
          throw std::runtime_error(message.isSetField(FIX::FIELD::Text) ? message.getField(FIX::FIELD::Text) : type);
      }
      if (arrived_.wait_until(lock, end) == std::cv_status::timeout) throw std::runtime_error("no answer in 30 s");
    }
  }

 private:
  void tell(const std::string& type, const FIX::Message& message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    told_.emplace_back(type, message);
    arrived_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::list<std::pair<std::string, FIX::Message>> told_;
};

bool isReport(const std::string& type, const FIX::Message& message, const std::string& execType) {
  return type == "8" && message.getField(FIX::FIELD::ExecType) == execType;
}

}  // namespace

int main() {
  try {
    const auto address = setting("FIX_ADDRESS");
    const auto colon = address.rfind(':');
    std::stringstream text;
    text << "[DEFAULT]\nConnectionType=initiator\nBeginString=FIX.4.4\nSenderCompID=TRY-QUICKFIX\nTargetCompID=EXCHANGE\n"
         << "HeartBtInt=30\nReconnectInterval=5\nStartTime=00:00:00\nEndTime=00:00:00\nUseDataDictionary=N\nResetOnLogon=Y\n"
         << "SocketConnectHost=" << address.substr(0, colon) << "\nSocketConnectPort=" << address.substr(colon + 1)
         << "\n[SESSION]\n";
    FIX::SessionSettings settings(text);
    const FIX::SessionID session("FIX.4.4", "TRY-QUICKFIX", "EXCHANGE");
    Initiator application;
    FIX::MemoryStoreFactory stores;
    FIX::SocketInitiator initiator(application, stores, settings);
    initiator.start();
    application.next([](const std::string& type, const FIX::Message&) { return type == "logon"; });

    const auto id = "try-fix-" + std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
    FIX44::NewOrderSingle order{FIX::ClOrdID(id), FIX::Side('1'), FIX::TransactTime(), FIX::OrdType('2')};
    order.setField(FIX::FIELD::Symbol, setting("SYMBOL"));
    order.setField(FIX::FIELD::OrderQty, "1");
    order.setField(FIX::FIELD::Price, setting("PRICE"));
    order.setField(FIX::FIELD::TimeInForce, "1");
    FIX::Session::sendToTarget(order, session);
    const auto placed = application.next([](const std::string& type, const FIX::Message& message) {
      if (isReport(type, message, "8"))
        throw std::runtime_error("rejected: " + (message.isSetField(FIX::FIELD::Text) ? message.getField(FIX::FIELD::Text) : ""));
      return isReport(type, message, "0");
    });

    FIX44::OrderStatusRequest status;
    status.setField(FIX::FIELD::ClOrdID, id);
    status.setField(FIX::FIELD::Symbol, setting("SYMBOL"));
    status.setField(FIX::FIELD::Side, "1");
    FIX::Session::sendToTarget(status, session);
    const auto seen = application.next(
        [](const std::string& type, const FIX::Message& message) { return isReport(type, message, "I"); });

    FIX44::OrderCancelRequest cancel{FIX::OrigClOrdID(id), FIX::ClOrdID(id + "-cancel"), FIX::Side('1'), FIX::TransactTime()};
    cancel.setField(FIX::FIELD::Symbol, setting("SYMBOL"));
    FIX::Session::sendToTarget(cancel, session);
    application.next([](const std::string& type, const FIX::Message& message) { return isReport(type, message, "4"); });
    initiator.stop();
    std::cout << "{\"placed\":\"" << placed.getField(FIX::FIELD::OrderID) << "\",\"seen\":\"OrdStatus "
              << seen.getField(FIX::FIELD::OrdStatus) << " by its request\",\"cancelled\":\"ExecType 4\"}" << std::endl;
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    std::_Exit(1);
  }
}
